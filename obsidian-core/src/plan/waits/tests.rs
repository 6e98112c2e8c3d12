//! Waits that go, and waits that stay.
