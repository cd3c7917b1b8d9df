"""What the processor does at once and numba does not offer by name: bits counted, answers compared."""

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic


def _ones(_context: Any, _mask: Any) -> Any:
    """How many bits of a 64-bit mask are set."""

    def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


def _trailing_zeros(_context: Any, _mask: Any) -> Any:
    """The place of the lowest bit that is set; 64 where none is."""

    def generate(context: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, 0))

    return types.uint64(types.uint64), generate


ones: Any = intrinsic(_ones)
trailing_zeros: Any = intrinsic(_trailing_zeros)


LANES = 64
"""How many answers `compared` looks at."""


def _compared(_context: Any, _answers: Any, _start: Any, _told: Any) -> Any:
    """Which of the 64 answers from `start` on are 0, 1 and `told`: three masks; all must be in the array."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        answers, start, told = arguments
        data = context.make_array(signature.args[0])(context, builder, answers).data
        byte, place = ir.IntType(8), ir.IntType(32)
        many = ir.VectorType(byte, LANES)
        address = builder.bitcast(builder.gep(data, [start]), many.as_pointer())
        loaded = builder.load(address, align=1)
        first = builder.insert_element(ir.Constant(many, ir.Undefined), told, place(0))
        everywhere = ir.Constant(ir.VectorType(place, LANES), [0] * LANES)
        values = (
            ir.Constant(many, [0] * LANES),
            ir.Constant(many, [1] * LANES),
            builder.shuffle_vector(first, first, everywhere),
        )
        same = [builder.icmp_unsigned("==", loaded, value) for value in values]
        masks = [builder.bitcast(lanes, ir.IntType(LANES)) for lanes in same]
        return context.make_tuple(builder, signature.return_type, masks)

    three: Any = types.UniTuple
    return three(types.uint64, 3)(_answers, types.uint64, types.int8), generate


compared: Any = intrinsic(_compared)
