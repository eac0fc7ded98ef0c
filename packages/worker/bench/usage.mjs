/** Reports the CPU time and memory of this process when its parent requests it. */
export function reportUsage() {
  const cpuSeconds = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  };
  const idle = { idleRss: process.memoryUsage.rss(), idleCpuSeconds: cpuSeconds() };
  let rss = 0;
  setInterval(() => (rss = Math.max(rss, process.memoryUsage.rss())), 250);
  process.on('message', () => process.send({ ...idle, rss, cpuSeconds: cpuSeconds() }));
  process.send('ready');
}
