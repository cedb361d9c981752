import { workerData } from 'node:worker_threads';

/** A thread of the training process. It ends the process when its owner is gone: training gives no turn to a message. */
setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL');
}, 250);
