// Loaded before the program of a child process (node --import): the child ends when its parent is
// gone, even by kill -9, so that no API or worker is left that nobody watches.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.exit(1);
}, 500).unref();
