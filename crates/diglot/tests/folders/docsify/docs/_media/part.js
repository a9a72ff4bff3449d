const secret = 'CANARY'
/// [demo]
const shown = { a: 1 }
/// [demo]
