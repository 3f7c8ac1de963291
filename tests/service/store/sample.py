"""A value of any event type, made from its annotations: so that a new event is tested without being listed."""

from typing import Any

import msgspec
from msgspec.inspect import (
    AnyType,
    BoolType,
    CollectionType,
    DictType,
    FrozenSetType,
    IntType,
    ListType,
    LiteralType,
    NoneType,
    SetType,
    StrType,
    StructType,
    TupleType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)


def sample(type_: Any) -> Any:
    """A value of this type; every field is filled."""
    return msgspec.convert(_builtin(type_info(type_)), type_)


def _builtin(kind: Type) -> Any:
    match kind:
        case StructType(fields=fields, tag_field=tag_field, tag=tag):
            value = {field.encode_name: _builtin(field.type) for field in fields}
            return value | ({tag_field: tag} if tag_field else {})
        case UnionType(types=types):
            return _builtin(next(one for one in types if not isinstance(one, NoneType)))
        case LiteralType(values=values):
            return values[0]
        case BoolType():
            return True
        case IntType(ge=least, gt=above):
            return least if least is not None else above + 1 if above is not None else 3
        case StrType(min_length=shortest):
            return "ח" * max(shortest or 0, 2)
        case TupleType(item_types=items):
            return [_builtin(item) for item in items]
        case ListType() | VarTupleType() | SetType() | FrozenSetType() | CollectionType():
            return [_builtin(kind.item_type)]
        case DictType(key_type=key, value_type=value):
            return {_builtin(key): _builtin(value)}
        case AnyType():
            return {"anything": [1, "two", None]}
        case NoneType():
            return None
    raise NotImplementedError(f"no sample of {kind}")
