/** The health check of the container: ends with 0 if the server responds, otherwise with 1. */
const response = await fetch(`http://127.0.0.1:${process.env.PORT || 3000}/livez`).catch(() => null);
process.exitCode = response?.ok ? 0 : 1;
