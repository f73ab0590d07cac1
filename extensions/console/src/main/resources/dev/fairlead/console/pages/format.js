// Numbers, times and durations as people read them.

const time = new Intl.DateTimeFormat(undefined, {hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23'});
const number = new Intl.NumberFormat();

/** A whole number with separators. */
export const count = n => number.format(n ?? 0);

/** "1 session", "2 sessions". */
export const plural = (n, one, many = one + 's') => `${count(n)} ${n === 1 ? one : many}`;

/** The time of day of a moment in milliseconds. */
export const clock = millis => time.format(new Date(millis));

/** A duration in milliseconds: "840 ms", "3.2 s", "4 min", "2 h 5 min", "3 d". */
export function duration(millis) {
  if (millis < 0) return '0 s';
  if (millis < 1000) return `${Math.round(millis)} ms`;
  const seconds = millis / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  return `${Math.floor(hours / 24)} d`;
}

/** The age of a moment in whole units, which changes rarely: "now", "8 s", "4 min". */
export function age(millis) {
  const seconds = Math.floor(millis / 1000);
  return seconds < 2 ? 'now' : duration(seconds * 1000).replace('.0 s', ' s');
}

/** Bytes: "640 B", "12 KiB", "3.4 MiB". */
export function bytes(n) {
  if (n < 1024) return `${n} B`;
  for (const unit of ['KiB', 'MiB', 'GiB']) {
    n /= 1024;
    if (n < 1024 || unit === 'GiB') return `${n < 10 ? n.toFixed(1).replace('.0', '') : Math.round(n)} ${unit}`;
  }
}
