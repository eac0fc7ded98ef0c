import { Inject, Injectable } from '@nestjs/common';
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { CONFIG, type Config } from '../../config';
import { DEMO_RECORDINGS_PATH } from './demo-recording';

const DEMO_RECORDING = new RegExp(`^https?://[^/]+${DEMO_RECORDINGS_PATH}/([\\w-]+)\\.wav\\?seconds=(\\d+)$`);

/**
 * Signs the addresses of demo recordings where calls show them, so that only signed ones can be read. The address
 * that a runtime reports and that is stored has no signature: a runtime needs no secret, and a new secret changes
 * nothing that is stored.
 */
@Injectable()
export class DemoRecordings {
  private readonly key: Buffer;

  constructor(@Inject(CONFIG) config: Config) {
    // With an identity provider there is no JWT_SECRET. The address of the database is a secret of all servers too.
    const secret = config.JWT_SECRET ?? config.DATABASE_URL;
    this.key = Buffer.from(hkdfSync('sha256', secret, '', 'demo recordings', 32));
  }

  /**
   * The address of a recording as a call shows it. An address of another kind stays as it is. The host is not
   * compared: several names may lead to this server.
   */
  shownAddress(url: string): string {
    const [, callId, seconds] = DEMO_RECORDING.exec(url) ?? [];
    if (callId === undefined || seconds === undefined) return url;
    return `${url}&signature=${this.createSignature(callId, seconds).toString('base64url')}`;
  }

  isSigned(callId: string, seconds: string, signature: string): boolean {
    const given = Buffer.from(signature, 'base64url');
    const right = this.createSignature(callId, seconds);
    return given.length === right.length && timingSafeEqual(given, right);
  }

  private createSignature(callId: string, seconds: string): Buffer {
    return createHmac('sha256', this.key).update(`${callId} ${seconds}`).digest();
  }
}
