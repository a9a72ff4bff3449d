let zero;
// #region one
let one;
// #endregion one
