//! Settings as a program declares them.

mod declared;
