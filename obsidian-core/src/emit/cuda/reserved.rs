//! Words that no name of the user may be in CUDA C++: keywords, types and functions that the text uses, and CUDA's own.

/// The words; names of helpers come on top.
pub(super) const WORDS: &[&str] = &[
    // C++
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char", "char16_t", "char32_t",
    "char8_t", "class", "compl", "concept", "const", "const_cast", "consteval", "constexpr", "constinit", "continue", "co_await", "co_return",
    "co_yield", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "final",
    "float", "for", "friend", "goto", "if", "import", "inline", "int", "int128_t", "long", "main", "module", "mutable", "namespace", "new",
    "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "override", "private", "protected", "public", "register",
    "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "std", "struct", "switch",
    "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual", "void",
    "volatile", "wchar_t", "while", "xor", "xor_eq", "restrict", "typeof",
    // Macros and types that headers define
    "NULL", "EOF", "INFINITY", "NAN", "HUGE_VAL", "M_PI", "M_E", "assert", "errno", "offsetof", "linux", "unix", "i386", "size_t", "ptrdiff_t",
    "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "uint", "ushort", "ulong", "uchar", "wint_t",
    // The text around the kernel
    "thread", "warp", "lane", "shared",
    // CUDA
    "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "dim3", "cuda", "clock", "clock64", "printf", "malloc", "free", "memcpy",
    "memset", "atomicAdd", "atomicSub", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor", "atomicExch", "atomicCAS", "atomicInc",
    "atomicDec",
    // Functions, at `float` with `f` behind
    "min", "max", "abs", "labs", "llabs", "div", "fabs", "fabsf", "sqrt", "sqrtf", "rsqrt", "rsqrtf", "cbrt", "cbrtf", "exp", "expf", "exp2",
    "exp2f", "exp10", "exp10f", "expm1", "expm1f", "log", "logf", "log2", "log2f", "log10", "log10f", "log1p", "log1pf", "sin", "sinf", "cos",
    "cosf", "tan", "tanf", "asin", "asinf", "acos", "acosf", "atan", "atanf", "atan2", "atan2f", "sinh", "sinhf", "cosh", "coshf", "tanh",
    "tanhf", "asinh", "asinhf", "acosh", "acoshf", "atanh", "atanhf", "floor", "floorf", "ceil", "ceilf", "round", "roundf", "trunc", "truncf",
    "rint", "rintf", "fmod", "fmodf", "remainder", "remquo", "fma", "fmaf", "fmin", "fminf", "fmax", "fmaxf", "pow", "powf", "hypot", "hypotf",
    "copysign", "copysignf", "signbit", "isnan", "isinf", "isfinite", "erf", "erff", "erfc", "erfcf", "gamma", "tgamma", "lgamma", "j0", "j1",
    "jn", "y0", "y1", "yn", "norm", "normf", "ldexp", "frexp", "modf", "logb", "ilogb", "scalbn", "fdim", "nan", "nanf", "sincos", "sincosf",
    "sinpi", "cospi",
];

/// More words that no kernel may be called, but a variable may: functions of C libraries, which declare them for everyone.
pub(super) const FUNCTIONS: &[&str] = &[
    "abort", "access", "alarm", "atof", "atoi", "bcmp", "bcopy", "bsearch", "bzero", "calloc", "close", "connect", "dup", "exit", "ffs", "ffsll",
    "getenv", "index", "kill", "link", "open", "pause", "pipe", "puts", "qsort", "raise", "rand", "random", "read", "realloc", "remove", "rename",
    "rindex", "scanf", "select", "send", "signal", "sleep", "socket", "srand", "stat", "strlen", "system", "time", "truncate", "unlink", "wait",
    "write",
];
