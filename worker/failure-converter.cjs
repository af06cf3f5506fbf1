// What fails says so in a payload, which the codec seals. Temporal's worker loads this file by its
// path, with require: hence no module of the house's kind.
const { DefaultFailureConverter } = require('@temporalio/common');

exports.failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
