import { areWindows, type CallingWindow, DAYS, findWindowsProblem, openTimeAround } from './windows';

/** The zones have each rule of clock changes, each kind of offset, and both ends of the date line. */
const ZONES = [
  'UTC',
  'Africa/Cairo',
  'Africa/Casablanca',
  'America/Havana',
  'America/New_York',
  'America/Santiago',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Asia/Beirut',
  'Asia/Jerusalem',
  'Asia/Kathmandu',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'Europe/Dublin',
  'Pacific/Apia',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
];

const HOUR = 3_600_000;
const WORKDAYS: CallingWindow = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '09:00', end: '17:30' };

/** Returns what the clocks in a zone show, independently of the code under test. */
function readClock(zone: string) {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (time: number) => {
    const [day = '', clockTime = ''] = format.format(time).split(/,? /);
    return { day: day.toLowerCase(), time: clockTime };
  };
}

const isWithin = (windows: CallingWindow[], { day, time }: { day: string; time: string }) =>
  windows.some(({ days, start, end }) => days.some((each) => each === day) && start <= time && time < end);

/** Returns all times of a year in which the windows are open, in order. */
function timesOfYear(windows: CallingWindow[], zone: string) {
  const times = [];
  const end = Date.UTC(2027, 0, 5);
  for (let now = Date.UTC(2026, 0, 1); now < end;) {
    const time = openTimeAround(windows, zone, now);
    if (time.closesAt <= now)
      throw new Error(`It is open until ${time.closesAt}, which is not after ${now}.`);
    times.push(time);
    now = time.closesAt;
  }
  return times;
}

describe.each(ZONES)('Windows over a year in %s', (zone) => {
  const clock = readClock(zone);

  test('open and close when its clocks say so, on the days of clock changes too', () => {
    const times = timesOfYear([WORKDAYS], zone);

    const wrong = times.filter(({ opensAt, closesAt }) => {
      const [opening, closing] = [clock(opensAt), clock(closesAt)];
      const isWorkday = WORKDAYS.days.some((day) => day === opening.day) && opening.day === closing.day;
      return !isWorkday || opening.time !== WORKDAYS.start || closing.time !== WORKDAYS.end;
    });
    expect(wrong).toEqual([]);
    expect(times.length).toBeGreaterThanOrEqual(260);
    expect(times.length).toBeLessThanOrEqual(264);
  });

  test('that begin or end in the hour of a clock change never allow a time that the clocks do not', () => {
    const night: CallingWindow[] = [
      { days: [...DAYS], start: '00:30', end: '02:30' },
      { days: ['sun', 'sat'], start: '02:40', end: '03:10' },
    ];

    let open = 0;
    const wrong: string[] = [];
    for (const { opensAt, closesAt } of timesOfYear(night, zone)) {
      for (let time = opensAt; time < closesAt; time += HOUR / 6) {
        if (!isWithin(night, clock(time))) wrong.push(new Date(time).toISOString());
        open += 1;
      }
    }
    expect(wrong).toEqual([]);
    // The windows are open for two hours a day, and half an hour on two days a week, but for the hours that clocks
    // skip or repeat.
    expect(open / 6).toBeGreaterThan(365 * 2 + 104 / 2 - 4);
    expect(open / 6).toBeLessThan(370 * 2 + 108 / 2 + 4);
  });
});

describe('Windows', () => {
  test('that touch are one time, also over midnight and over the end of the week', () => {
    const always: CallingWindow[] = [{ days: [...DAYS], start: '00:00', end: '24:00' }];
    const weekend: CallingWindow[] = [
      { days: ['sat'], start: '20:00', end: '24:00' },
      { days: ['sun'], start: '00:00', end: '02:00' },
      { days: ['sun'], start: '01:00', end: '03:00' },
    ];
    const now = Date.UTC(2026, 5, 10);

    const { opensAt, closesAt } = openTimeAround(always, 'UTC', now);
    expect(opensAt).toBeLessThanOrEqual(now);
    expect(closesAt - now).toBeGreaterThan(7 * 24 * HOUR);
    expect(openTimeAround(weekend, 'UTC', now)).toEqual({
      opensAt: Date.UTC(2026, 5, 13, 20),
      closesAt: Date.UTC(2026, 5, 14, 3),
    });
  });

  test('that the clocks skip are open at the next regular time', () => {
    const skipped: CallingWindow[] = [{ days: ['sun'], start: '02:10', end: '02:50' }];

    const { opensAt } = openTimeAround(skipped, 'Europe/Berlin', Date.UTC(2026, 2, 28));

    expect(new Date(opensAt).toISOString()).toBe('2026-04-05T00:10:00.000Z');
  });

  test.each([
    [[{ days: ['mon'], start: '09:00', end: '09:00' }]],
    [[{ days: ['mon'], start: '22:00', end: '02:00' }]],
    [[{ days: [], start: '09:00', end: '10:00' }]],
    [[{ days: ['Monday'], start: '09:00', end: '10:00' }]],
    [[{ days: ['mon'], start: '9:00', end: '10:00' }]],
    [[{ days: ['mon'], start: '24:00', end: '24:00' }]],
    [[{ days: ['mon'], start: '09:00', end: '10:00', zone: 'UTC' }]],
    [{ days: ['mon'], start: '09:00', end: '10:00' }],
    [Array.from({ length: 51 }, () => WORKDAYS)],
    [[null]],
    ['always'],
  ])('such as %j are refused', (value) => {
    expect(areWindows(value)).toBe(false);
  });

  test.each<[object, string]>([
    [
      { start: '22:00', end: '06:00' },
      '[1] ends at 06:00, before its start 22:00; a window over midnight is two: 22:00 to 24:00, and 00:00 to 06:00 ' +
        'with the days after',
    ],
    [{ end: '00:00' }, '[1] ends at 00:00; write 24:00 for the end of a day'],
    [{ start: '00:00', end: '00:00' }, '[1] ends at 00:00; write 24:00 for the end of a day'],
    [{ end: '09:00' }, '[1] has the same start and end, 09:00'],
    [{ start: '9:00' }, '[1] has the start "9:00"; write 09:00'],
    [{ end: '5:30' }, '[1] has the end "5:30"; write 05:30'],
    [{ start: '9am' }, '[1] has the start "9am"; a time has four digits, from 00:00 to 23:59'],
    [{ end: '24:30' }, '[1] has the end "24:30"; a time has four digits, from 00:00 to 24:00'],
    [{ start: 900 }, '[1] has the start "900"; a time has four digits, from 00:00 to 23:59'],
    [{ end: undefined }, '[1] has no end'],
    [{ days: ['Monday'] }, '[1] has the day "Monday"; write mon'],
    [{ days: ['Montag'] }, '[1] has the day "Montag"; write mon'],
    [{ days: ['lundi'] }, '[1] has the day "lundi"; a day is one of mon, tue, wed, thu, fri, sat, sun'],
    [{ days: 'mon' }, '[1] has no list days of 1 to 7 of mon, tue, wed, thu, fri, sat, sun'],
    [{ zone: 'UTC' }, '[1] has the field "zone"; a window has days, start and end'],
  ])('with %j are refused with the window and the reason', (change, problem) => {
    expect(findWindowsProblem([WORKDAYS, { ...WORKDAYS, ...change }])).toBe(problem);
  });
});
