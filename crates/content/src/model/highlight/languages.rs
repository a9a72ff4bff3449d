//! The languages by the names that people give them.

use super::Grammar;
use super::program::{Quote, Rules};

const fn quote(open: &'static str, escapes: bool, lines: bool) -> Quote {
    Quote { open, close: open, escapes, lines }
}

const DOUBLE: Quote = quote("\"", true, false);
const SINGLE: Quote = quote("'", true, false);
const BACKTICK: Quote = quote("`", true, true);
const C_QUOTES: &[Quote] = &[DOUBLE, SINGLE];
const SLASHES: &[&str] = &["//"];
const HASH: &[&str] = &["#"];
const STARS: Option<(&str, &str)> = Some(("/*", "*/"));

/// What most languages in the family of C share; used with `..`.
const C: Rules = Rules {
    line: SLASHES,
    block: STARS,
    quotes: C_QUOTES,
    keywords: &[],
    constants: &["false", "null", "true"],
    types: &[],
    folded: false,
    capitals: true,
    lifetimes: false,
    keys: false,
    sigils: b"",
    annotations: b"",
    commands: false,
};

static RUST: Rules = Rules {
    quotes: &[quote("\"", true, true)],
    keywords: &[
        "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "fn", "for", "if", "impl", "in", "let",
        "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "static", "struct", "super", "trait", "type", "union", "unsafe", "use",
        "where", "while", "yield",
    ],
    constants: &["Err", "None", "Ok", "Self", "Some", "false", "self", "true"],
    types: &["bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16", "u32", "u64", "u8", "usize"],
    lifetimes: true,
    annotations: b"#",
    ..C
};
static C_LIKE: Rules = Rules {
    keywords: &[
        "alignas", "alignof", "asm", "auto", "break", "case", "catch", "class", "co_await", "co_return", "co_yield", "concept", "const", "const_cast",
        "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "dynamic_cast", "else", "enum", "explicit",
        "export", "extern", "final", "for", "friend", "goto", "if", "inline", "mutable", "namespace", "new", "noexcept", "operator", "override",
        "private", "protected", "public", "register", "reinterpret_cast", "requires", "restrict", "return", "signed", "sizeof", "static",
        "static_assert", "static_cast", "struct", "switch", "template", "this", "throw", "try", "typedef", "typeid", "typename", "union", "unsigned",
        "using", "virtual", "volatile", "while",
    ],
    constants: &["NO", "NULL", "YES", "false", "nil", "nullptr", "self", "true"],
    types: &[
        "bool", "char", "char16_t", "char32_t", "char8_t", "double", "float", "id", "int", "int16_t", "int32_t", "int64_t", "int8_t", "long",
        "ptrdiff_t", "short", "size_t", "ssize_t", "uint16_t", "uint32_t", "uint64_t", "uint8_t", "void", "wchar_t",
    ],
    annotations: b"#@",
    ..C
};
static C_SHARP: Rules = Rules {
    keywords: &[
        "abstract", "as", "async", "await", "base", "break", "case", "catch", "checked", "class", "const", "continue", "default", "delegate", "do",
        "else", "enum", "event", "explicit", "extern", "finally", "fixed", "for", "foreach", "get", "goto", "if", "implicit", "in", "init",
        "interface", "internal", "is", "lock", "nameof", "namespace", "new", "operator", "out", "override", "params", "partial", "private",
        "protected", "public", "readonly", "record", "ref", "required", "return", "sealed", "set", "sizeof", "stackalloc", "static", "struct",
        "switch", "this", "throw", "try", "typeof", "unchecked", "unsafe", "using", "value", "var", "virtual", "volatile", "when", "where", "while",
        "with", "yield",
    ],
    types: &[
        "bool", "byte", "char", "decimal", "double", "dynamic", "float", "int", "long", "object", "sbyte", "short", "string", "uint", "ulong",
        "ushort", "void",
    ],
    ..C
};
static JAVA: Rules = Rules {
    quotes: &[quote("\"\"\"", true, true), DOUBLE, SINGLE],
    keywords: &[
        "abstract", "actual", "annotation", "as", "assert", "associatedtype", "async", "await", "break", "by", "case", "catch", "class", "companion",
        "const", "constructor", "continue", "crossinline", "data", "def", "default", "defer", "deinit", "do", "else", "enum", "expect", "extends",
        "extension", "extern", "external", "factory", "fileprivate", "final", "finally", "for", "forSome", "fun", "func", "get", "given", "guard",
        "if", "implements", "implicit", "import", "in", "infix", "init", "inline", "inner", "inout", "instanceof", "interface", "internal", "is",
        "late", "lateinit", "lazy", "let", "match", "mixin", "mutating", "native", "new", "noinline", "nonisolated", "object", "open", "operator",
        "out", "override", "package", "permits", "private", "protected", "protocol", "public", "record", "reified", "repeat", "required", "rethrows",
        "return", "sealed", "set", "some", "static", "struct", "subscript", "super", "suspend", "switch", "synchronized", "tailrec", "then", "throw",
        "throws", "trait", "transient", "try", "type", "typealias", "using", "val", "var", "vararg", "volatile", "weak", "when", "where", "while",
        "with", "yield",
    ],
    constants: &["Self", "false", "it", "nil", "null", "self", "this", "true"],
    types: &["boolean", "byte", "char", "double", "dynamic", "float", "int", "long", "short", "void"],
    annotations: b"@",
    ..C
};
static GO: Rules = Rules {
    quotes: &[DOUBLE, SINGLE, quote("`", false, true)],
    keywords: &[
        "break", "case", "chan", "const", "continue", "default", "defer", "else", "fallthrough", "for", "func", "go", "goto", "if", "import",
        "interface", "map", "package", "range", "return", "select", "struct", "switch", "type", "var",
    ],
    constants: &["false", "iota", "nil", "true"],
    types: &[
        "any", "bool", "byte", "comparable", "complex128", "complex64", "error", "float32", "float64", "int", "int16", "int32", "int64", "int8",
        "rune", "string", "uint", "uint16", "uint32", "uint64", "uint8", "uintptr",
    ],
    ..C
};
static JAVASCRIPT: Rules = Rules {
    quotes: &[DOUBLE, SINGLE, BACKTICK],
    keywords: &[
        "abstract", "as", "asserts", "async", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "declare", "default",
        "delete", "do", "else", "enum", "export", "extends", "finally", "for", "from", "function", "get", "if", "implements", "import", "in", "infer",
        "instanceof", "interface", "is", "keyof", "let", "namespace", "new", "of", "override", "private", "protected", "public", "readonly", "return",
        "satisfies", "set", "static", "super", "switch", "throw", "try", "type", "typeof", "var", "void", "while", "with", "yield",
    ],
    constants: &["Infinity", "NaN", "false", "globalThis", "null", "this", "true", "undefined"],
    types: &["any", "bigint", "boolean", "never", "number", "object", "string", "symbol", "unknown"],
    annotations: b"@",
    ..C
};
static PHP: Rules = Rules {
    line: &["//", "#"],
    quotes: &[quote("\"", true, true), quote("'", true, true)],
    keywords: &[
        "abstract", "and", "array", "as", "break", "callable", "case", "catch", "class", "clone", "const", "continue", "declare", "default", "do",
        "echo", "else", "elseif", "empty", "enddeclare", "endfor", "endforeach", "endif", "endswitch", "endwhile", "enum", "exit", "extends", "final",
        "finally", "fn", "for", "foreach", "function", "global", "goto", "if", "implements", "include", "include_once", "instanceof", "insteadof",
        "interface", "isset", "list", "match", "namespace", "new", "or", "php", "print", "private", "protected", "public", "readonly", "require",
        "require_once", "return", "static", "switch", "throw", "trait", "try", "unset", "use", "var", "while", "xor", "yield",
    ],
    constants: &["false", "null", "parent", "self", "true"],
    types: &["bool", "float", "int", "iterable", "mixed", "never", "object", "string", "void"],
    folded: true,
    sigils: b"$",
    ..C
};
static PYTHON: Rules = Rules {
    line: HASH,
    block: None,
    quotes: &[quote("\"\"\"", true, true), quote("'''", true, true), DOUBLE, SINGLE],
    keywords: &[
        "and", "as", "assert", "async", "await", "break", "case", "class", "continue", "def", "del", "elif", "else", "except", "finally", "for",
        "from", "global", "if", "import", "in", "is", "lambda", "match", "nonlocal", "not", "or", "pass", "raise", "return", "try", "type", "while",
        "with", "yield",
    ],
    constants: &["False", "None", "NotImplemented", "True", "cls", "self"],
    types: &["bool", "bytes", "dict", "float", "frozenset", "int", "list", "object", "set", "str", "tuple"],
    annotations: b"@",
    ..C
};
static RUBY: Rules = Rules {
    line: HASH,
    block: None,
    keywords: &[
        "BEGIN", "END", "after", "alias", "and", "attr_accessor", "attr_reader", "attr_writer", "begin", "break", "case", "class", "cond", "def",
        "defined", "defmacro", "defmodule", "defp", "defstruct", "do", "else", "elsif", "end", "ensure", "extend", "fn", "for", "if", "import", "in",
        "include", "module", "next", "not", "or", "prepend", "private", "protected", "public", "quote", "raise", "receive", "redo", "require",
        "require_relative", "rescue", "retry", "return", "super", "then", "undef", "unless", "unquote", "until", "use", "when", "while", "with",
        "yield",
    ],
    constants: &["false", "nil", "self", "true"],
    sigils: b"@$",
    ..C
};
static LUA: Rules = Rules {
    line: &["--"],
    block: Some(("--[[", "]]")),
    keywords: &[
        "and", "break", "do", "else", "elseif", "end", "for", "function", "goto", "if", "in", "local", "not", "or", "repeat", "return", "then",
        "until", "while",
    ],
    constants: &["false", "nil", "self", "true"],
    ..C
};
static HASKELL: Rules = Rules {
    line: &["--"],
    block: Some(("{-", "-}")),
    quotes: &[DOUBLE],
    keywords: &[
        "alias", "as", "case", "class", "data", "default", "deriving", "do", "else", "exposing", "family", "forall", "foreign", "hiding", "if",
        "import", "in", "infix", "infixl", "infixr", "instance", "let", "mdo", "module", "newtype", "of", "open", "port", "proc", "qualified", "rec",
        "then", "type", "where",
    ],
    constants: &["False", "Just", "Nothing", "True"],
    lifetimes: true,
    ..C
};
static SQL: Rules = Rules {
    line: &["--"],
    quotes: &[quote("'", false, true), quote("\"", false, false), quote("`", false, false)],
    keywords: &[
        "add", "all", "alter", "analyze", "and", "any", "as", "asc", "begin", "between", "by", "cascade", "case", "check", "column", "commit",
        "constraint", "create", "cross", "current", "database", "default", "delete", "desc", "distinct", "do", "drop", "else", "end", "except",
        "exists", "explain", "filter", "for", "foreign", "from", "full", "function", "grant", "group", "having", "if", "in", "index", "inner",
        "insert", "intersect", "into", "is", "join", "key", "lateral", "left", "like", "limit", "materialized", "merge", "natural", "not", "nothing",
        "offset", "on", "or", "order", "outer", "over", "partition", "primary", "procedure", "recursive", "references", "rename", "replace",
        "returning", "revoke", "right", "rollback", "row", "rows", "schema", "select", "set", "table", "temporary", "then", "to", "transaction",
        "trigger", "truncate", "union", "unique", "update", "using", "vacuum", "values", "view", "when", "where", "window", "with",
    ],
    constants: &["false", "null", "true"],
    types: &[
        "bigint", "blob", "boolean", "bytea", "char", "date", "decimal", "double", "float", "int", "integer", "json", "jsonb", "numeric", "real",
        "serial", "smallint", "text", "time", "timestamp", "timestamptz", "uuid", "varchar",
    ],
    folded: true,
    capitals: false,
    ..C
};
static SHELL: Rules = Rules {
    line: HASH,
    block: None,
    quotes: &[quote("\"", true, true), quote("'", false, true)],
    keywords: &["case", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in", "select", "then", "until", "while"],
    constants: &["false", "true"],
    capitals: false,
    sigils: b"$",
    commands: true,
    ..C
};
static POWERSHELL: Rules = Rules {
    line: HASH,
    block: Some(("<#", "#>")),
    quotes: &[quote("\"", false, false), quote("'", false, false)],
    keywords: &[
        "begin", "break", "catch", "class", "continue", "data", "do", "dynamicparam", "else", "elseif", "end", "enum", "exit", "filter", "finally",
        "for", "foreach", "from", "function", "if", "in", "param", "process", "return", "switch", "throw", "trap", "try", "until", "using", "while",
    ],
    folded: true,
    sigils: b"$",
    commands: true,
    ..C
};
static R: Rules = Rules {
    line: HASH,
    block: None,
    keywords: &[
        "abstract", "begin", "break", "catch", "const", "do", "else", "end", "export", "finally", "for", "function", "global", "if", "import", "in",
        "let", "library", "local", "macro", "module", "mutable", "next", "primitive", "quote", "repeat", "require", "return", "struct", "try",
        "using", "where", "while",
    ],
    constants: &["FALSE", "Inf", "NA", "NULL", "NaN", "TRUE", "false", "missing", "nothing", "true"],
    capitals: false,
    ..C
};
static PERL: Rules = Rules {
    line: HASH,
    block: None,
    keywords: &[
        "and", "cmp", "do", "else", "elsif", "eq", "for", "foreach", "ge", "given", "gt", "if", "last", "le", "local", "lt", "my", "ne", "next", "no",
        "or", "our", "package", "print", "redo", "require", "return", "say", "state", "sub", "undef", "unless", "until", "use", "when", "while",
        "xor",
    ],
    sigils: b"$@%",
    ..C
};
static JSON: Rules = Rules { quotes: &[DOUBLE], capitals: false, keys: true, ..C };
static CONFIG: Rules = Rules {
    line: HASH,
    quotes: C_QUOTES,
    keywords: &[
        "add", "all", "and", "arg", "cmd", "copy", "do", "elif", "else", "endif", "entrypoint", "env", "expose", "false", "foreach", "from",
        "healthcheck", "if", "in", "include", "inherit", "label", "let", "listen", "location", "not", "on", "or", "output", "provider", "rec",
        "resource", "run", "server", "shell", "stopsignal", "then", "user", "variable", "volume", "with", "workdir",
    ],
    constants: &["false", "null", "off", "on", "true"],
    folded: true,
    capitals: false,
    sigils: b"$",
    ..C
};
static SCHEMA: Rules = Rules {
    line: &["//", "#"],
    quotes: &[quote("\"\"\"", true, true), DOUBLE, SINGLE],
    keywords: &[
        "datasource", "directive", "enum", "extend", "extends", "fragment", "generator", "implements", "import", "input", "interface", "map",
        "message", "model", "mutation", "on", "oneof", "option", "optional", "package", "query", "repeated", "required", "reserved", "returns", "rpc",
        "scalar", "schema", "service", "stream", "subscription", "syntax", "type", "union",
    ],
    types: &[
        "Boolean", "Float", "ID", "Int", "String", "bool", "bytes", "double", "fixed32", "fixed64", "float", "int32", "int64", "sint32", "sint64",
        "string", "uint32", "uint64",
    ],
    annotations: b"@",
    ..C
};
static ZIG: Rules = Rules {
    block: None,
    keywords: &[
        "align", "allowzero", "and", "anytype", "asm", "async", "await", "break", "catch", "comptime", "const", "continue", "defer", "else", "enum",
        "errdefer", "error", "export", "extern", "fn", "for", "if", "inline", "noalias", "or", "orelse", "packed", "pub", "resume", "return",
        "struct", "suspend", "switch", "test", "threadlocal", "try", "union", "unreachable", "usingnamespace", "var", "volatile", "while",
    ],
    constants: &["false", "null", "true", "undefined"],
    types: &["bool", "f16", "f32", "f64", "i16", "i32", "i64", "i8", "isize", "type", "u16", "u32", "u64", "u8", "usize", "void"],
    annotations: b"@",
    ..C
};
static LISP: Rules = Rules {
    line: &[";"],
    block: None,
    quotes: &[quote("\"", true, true)],
    keywords: &[
        "and", "begin", "case", "cond", "def", "define", "defmacro", "defn", "defun", "defvar", "do", "else", "fn", "for", "if", "in", "lambda",
        "let", "loop", "not", "ns", "or", "quote", "recur", "require", "set", "setq", "use", "when", "while",
    ],
    constants: &["false", "nil", "t", "true"],
    capitals: false,
    ..C
};

/// How a language is read; `None`: it is not known, or is no language.
pub(super) fn grammar(language: &str) -> Option<Grammar> {
    let mut name = [0_u8; 24];
    let name = name.get_mut(..language.len())?;
    name.copy_from_slice(language.as_bytes());
    name.make_ascii_lowercase();
    Some(match std::str::from_utf8(name).ok()? {
        "rust" | "rs" => Grammar::Program(&RUST),
        "c" | "h" | "cpp" | "c++" | "cc" | "cxx" | "hpp" | "arduino" | "objc" | "objective-c" | "m" | "cuda" | "glsl" | "hlsl" | "wgsl" => {
            Grammar::Program(&C_LIKE)
        }
        "cs" | "csharp" | "c#" => Grammar::Program(&C_SHARP),
        "java" | "kotlin" | "kt" | "kts" | "scala" | "swift" | "dart" | "groovy" | "gradle" => Grammar::Program(&JAVA),
        "go" | "golang" => Grammar::Program(&GO),
        "js" | "javascript" | "jsx" | "mjs" | "cjs" | "node" | "ts" | "typescript" | "tsx" => Grammar::Program(&JAVASCRIPT),
        "php" => Grammar::Program(&PHP),
        "py" | "python" | "python3" | "py3" | "gdscript" | "starlark" => Grammar::Program(&PYTHON),
        "rb" | "ruby" | "ex" | "exs" | "elixir" | "crystal" => Grammar::Program(&RUBY),
        "lua" => Grammar::Program(&LUA),
        "hs" | "haskell" | "elm" | "purescript" => Grammar::Program(&HASKELL),
        "sql" | "mysql" | "pgsql" | "postgresql" | "plsql" | "sqlite" => Grammar::Program(&SQL),
        "sh" | "bash" | "zsh" | "shell" | "fish" | "ksh" => Grammar::Program(&SHELL),
        "powershell" | "ps1" | "pwsh" => Grammar::Program(&POWERSHELL),
        "r" | "julia" | "jl" => Grammar::Program(&R),
        "perl" | "pl" => Grammar::Program(&PERL),
        "json" | "jsonc" | "json5" | "geojson" | "webmanifest" => Grammar::Program(&JSON),
        "docker" | "dockerfile" | "nginx" | "apache" | "caddyfile" | "make" | "makefile" | "cmake" | "hcl" | "terraform" | "tf" | "nix" => {
            Grammar::Program(&CONFIG)
        }
        "graphql" | "gql" | "proto" | "protobuf" | "prisma" => Grammar::Program(&SCHEMA),
        "zig" => Grammar::Program(&ZIG),
        "lisp" | "elisp" | "clojure" | "clj" | "scheme" | "racket" => Grammar::Program(&LISP),
        "html" | "htm" | "xml" | "svg" | "rss" | "atom" | "xsl" | "vue" | "svelte" | "astro" | "plist" => Grammar::Markup,
        "css" | "scss" | "sass" | "less" => Grammar::Css,
        "yaml" | "yml" | "toml" | "ini" | "conf" | "cfg" | "properties" | "env" | "dotenv" | "editorconfig" | "systemd" => Grammar::Keys,
        "diff" | "patch" => Grammar::Diff,
        "md" | "markdown" | "mdx" => Grammar::Markdown,
        _ => return None,
    })
}

#[cfg(test)]
pub(super) static ALL: &[&Rules] = &[
    &RUST,
    &C_LIKE,
    &C_SHARP,
    &JAVA,
    &GO,
    &JAVASCRIPT,
    &PHP,
    &PYTHON,
    &RUBY,
    &LUA,
    &HASKELL,
    &SQL,
    &SHELL,
    &POWERSHELL,
    &R,
    &PERL,
    &JSON,
    &CONFIG,
    &SCHEMA,
    &ZIG,
    &LISP,
];
