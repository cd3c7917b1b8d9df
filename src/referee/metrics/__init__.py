"""Metrics are pure functions over arrays and strings; this room knows no other room.

Each is proven in its test against an independent implementation and shows its formula, its shapes
and an example in its docstring. Import them from their modules, such as
`referee.metrics.statistics`.
"""
