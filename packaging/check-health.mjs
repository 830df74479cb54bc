/** The health check of the container: ends with 0 if the server responds, otherwise with 1. */
const { HOST = '', PORT } = process.env;
// At 0.0.0.0 and ::, Linux connects to this machine.
const host = HOST.replace(/^\[?([^[\]]*:[^[\]]*)\]?$/, '[$1]') || '127.0.0.1';
const response = await fetch(`http://${host}:${PORT || 3000}/livez`).catch(() => null);
process.exitCode = response?.ok ? 0 : 1;
