//! Facts about the simulator.
