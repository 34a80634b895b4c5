/**
 * Milliseconds of CPU that this process has taken since: what a computation costs. Time that passes while others have
 * the machine does not count.
 */
export function startCpuClock(): () => number {
  const begun = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1_000;
  };
}
