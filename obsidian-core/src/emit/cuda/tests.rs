//! What the text of whole kernels looks like.
