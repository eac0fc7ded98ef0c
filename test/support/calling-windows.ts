const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

const MINUTES_OF_DAY = 1_440;

const clock = (minutes: number) =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

const minutesNow = () => {
  const now = new Date();
  return now.getUTCHours() * 60 + now.getUTCMinutes();
};

export const ALWAYS = [{ days: DAYS, start: '00:00', end: '24:00' }];

/** Windows in UTC that are open now, for an hour or so. */
export const openNow = () => {
  const now = minutesNow();
  const end = Math.min(MINUTES_OF_DAY, now + 60);
  return [{ days: DAYS, start: clock(Math.max(0, now - 30)), end: clock(end) }];
};

/** Windows in UTC that are closed now, for at least two hours. */
export const closedNow = () => {
  const start = (minutesNow() + 180) % MINUTES_OF_DAY;
  return start < MINUTES_OF_DAY - 60
    ? [{ days: DAYS, start: clock(start), end: clock(start + 60) }]
    : [{ days: DAYS, start: '03:00', end: '04:00' }];
};
