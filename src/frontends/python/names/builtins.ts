// The names that Python itself gives, which no file of a repository defines.
export const BUILTINS = new Set(
  (
    'abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict dir divmod ' +
    'enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id int isinstance issubclass iter len list ' +
    'locals map max memoryview min next object oct open ord pow print property range repr reversed round set setattr slice sorted ' +
    'staticmethod str sum super tuple type vars zip unicode basestring xrange reduce raw_input file long unichr cmp __import__ ' +
    'Exception ValueError TypeError KeyError RuntimeError NotImplementedError AttributeError AssertionError IndexError StopIteration ' +
    'IOError OSError ImportError LookupError PermissionError FileNotFoundError TimeoutError ConnectionError SystemExit KeyboardInterrupt _ gettext'
  ).split(' '),
);
