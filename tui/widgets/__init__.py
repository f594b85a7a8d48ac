"""The parts of screens: one module a widget, its CSS beside its class."""
