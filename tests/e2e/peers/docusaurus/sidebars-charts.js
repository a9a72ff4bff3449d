module.exports = { charts: ['north'] };
