/** Its message is a sentence or two that an operator can act on. Any other error is printed with its stack trace. */
export class OperatorError extends Error {}
