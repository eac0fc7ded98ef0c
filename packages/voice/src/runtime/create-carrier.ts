import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from '@parley/worker';
import type { CarrierSettings } from './carrier-settings';
import type { Speech } from '../speech/services';
import type { Carrier } from '../doors/carrier';
import type { Peers } from '../net/peers';
import { AsteriskDoor } from '../doors/asterisk/asterisk-door';
import { startLine } from '../doors/line/start-line';
import { TelnyxDoor } from '../doors/telnyx/telnyx-door';
import { TwilioDoor } from '../doors/twilio/twilio-door';

export interface CarrierParts {
  /** The address at which carriers reach this process, such as `wss://voice.example.com`. */
  publicUrl: string;
  /** The processes at the same address; undefined: this is the only one. */
  peers?: Peers;
  /** The port at which this process listens: no other process of this machine has it. */
  port: number;
  speech: Speech;
  logger: Pick<Logger, 'warn'>;
}

/** The carrier of the settings. @returns it with what ends it */
export async function createCarrier(
  settings: CarrierSettings,
  { publicUrl, peers, port, speech, logger }: CarrierParts,
): Promise<{ carrier: Carrier; close: () => Promise<void> }> {
  const processPath = peers?.path ?? '';
  switch (settings.name) {
    case 'line':
      return startLine({ speech, logger });
    case 'twilio':
      return withClose(new TwilioDoor({ ...settings, publicUrl, processPath }, logger));
    case 'asterisk':
      return withClose(new AsteriskDoor({ ...settings, processName: peers?.name }, logger));
    case 'telnyx': {
      const holder = createHash('sha256').update(`${hostname()}:${port}`).digest('base64url');
      return withClose(new TelnyxDoor({ ...settings, publicUrl, processPath, holder, peers }, logger));
    }
  }
}

const withClose = (carrier: Carrier & { close(): Promise<void> }) => ({
  carrier,
  close: () => carrier.close(),
});
