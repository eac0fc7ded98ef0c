import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, getPublicUrl } from '../../src/config';
import { removeAddress, usePublicUrl, writeAddress } from '../../launch/server/server-address.cjs';

describe('A link that the operator prints', () => {
  let dataFolder: string;
  beforeEach(() => {
    dataFolder = mkdtempSync(join(tmpdir(), 'parley-address-'));
  });
  afterEach(() => rmSync(dataFolder, { recursive: true }));

  const publicUrlWith = (given: Record<string, string>) => {
    const environment = { DATABASE_URL: 'postgres://localhost/parley', JWT_SECRET: 'x'.repeat(32), ...given };
    usePublicUrl(dataFolder, environment);
    return getPublicUrl(loadConfig(environment));
  };

  it('leads to the server of the data folder, whatever port that has', () => {
    writeAddress(dataFolder, 'http://127.0.0.1:4610');
    expect(publicUrlWith({})).toBe('http://127.0.0.1:4610');
  });

  it('leads to the address or the port that the command is given', () => {
    writeAddress(dataFolder, 'http://127.0.0.1:4610');
    expect(publicUrlWith({ PORT: '4700' })).toBe('http://localhost:4700');
    expect(publicUrlWith({ PUBLIC_URL: 'https://parley.example.com' })).toBe('https://parley.example.com');
  });

  it('leads to the default port while no server runs', () => {
    expect(publicUrlWith({})).toBe('http://localhost:3000');
    writeAddress(dataFolder, 'http://127.0.0.1:4610');
    removeAddress(dataFolder);
    expect(publicUrlWith({})).toBe('http://localhost:3000');
  });
});
