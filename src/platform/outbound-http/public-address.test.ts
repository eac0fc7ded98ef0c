import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { excludeNetworks, isOwnAddress, isPublicAddress } from './public-address';

describe('An address', () => {
  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '168.63.129.15',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '2606:4700:4700::1111',
    '2a00:1450:4001:82a::200e',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    ['this network', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['link-local, where clouds have their metadata', '169.254.169.254'],
    ["Azure's host of a virtual machine", '168.63.129.16'],
    ["Azure's host of a virtual machine, mapped", '::ffff:168.63.129.16'],
    ["Alibaba Cloud's metadata", '100.100.100.200'],
    ["Oracle Cloud's metadata", '192.0.0.192'],
    ['shared by a carrier', '100.64.0.1'],
    ['shared by a carrier', '100.127.255.255'],
    ['for protocols', '192.0.0.8'],
    ['for documents', '192.0.2.1'],
    ['for documents', '198.51.100.1'],
    ['for documents', '203.0.113.1'],
    ['for benchmarks', '198.18.0.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['IPv4-mapped', '::ffff:127.0.0.1'],
    ['IPv4-mapped', '::ffff:7f00:1'],
    ['IPv4-mapped, of a public one', '::ffff:8.8.8.8'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['IPv4-compatible', '::7f00:1'],
    ['IPv4-translated', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::127.0.0.1'],
    ['NAT64 of a network of its own', '64:ff9b:1::a00:1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001:0:7f00:1::'],
    ['unique local', 'fc00::1'],
    ['unique local, where clouds have their metadata', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['for documents', '2001:db8::1'],
    ['for discarding', '100::1'],
    ['not handed out', '4000::1'],
    ['no address', 'localhost'],
    ['no address', ''],
    ['a number, which no resolver writes', '2130706433'],
  ])('that is %s is not public: %s', (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('An address of this machine', () => {
  const own = (address: string) => ({ address }) as NetworkInterfaceInfo;
  const interfaces = {
    lo: [own('127.0.0.1'), own('::1')],
    eth0: [own('198.41.0.4'), own('2001:500:2::c')],
    tun0: undefined,
  };

  test.each(['198.41.0.4', '::ffff:198.41.0.4', '2001:500:2::c', '2001:0500:0002:0:0:0:0:C', '::1'])(
    '%s is known in every spelling',
    (address) => {
      expect(isOwnAddress(address, interfaces)).toBe(true);
    },
  );

  test.each(['198.41.0.5', '2001:500:2::d', '64:ff9b::198.41.0.4'])(
    'is not %s, which is next to one',
    (address) => {
      expect(isOwnAddress(address, interfaces)).toBe(false);
    },
  );

  test('is not public', () => {
    const addresses = Object.values(networkInterfaces()).flatMap((each = []) => each);
    expect(addresses).not.toEqual([]);
    for (const { address } of addresses) {
      expect(isOwnAddress(address)).toBe(true);
      expect(isPublicAddress(address)).toBe(false);
    }
  });
});

describe('A denied network', () => {
  const denied = ['8.8.8.0/24', '1.1.1.1', '2606:4700::/32', '::ffff:9.9.9.0/120', '10.0.0.7/8'];
  const rule = excludeNetworks(denied, isPublicAddress);
  const lenient = excludeNetworks(denied, () => true);

  test.each([
    '8.8.8.8',
    '8.8.8.255',
    '::ffff:8.8.8.8',
    '::ffff:808:808',
    '1.1.1.1',
    '2606:4700:4700::1111',
    '2606:4700::',
    '9.9.9.9',
    '::ffff:9.9.9.9',
    '10.255.0.1',
  ])('has %s, whether private addresses are allowed or not', (address) => {
    expect([rule(address), lenient(address)]).toEqual([false, false]);
  });

  test.each(['8.8.9.8', '1.1.1.2', '2606:4701::1', '9.9.10.9'])('does not have %s', (address) => {
    expect([rule(address), lenient(address)]).toEqual([true, true]);
  });

  test.each(['127.0.0.1', '::1', '192.168.1.1', 'fe80::1%eth0'])('leaves %s as it is', (address) => {
    expect([rule(address), lenient(address)]).toEqual([false, true]);
  });

  test.each(['', 'localhost'])('makes no address of %j', (address) => {
    expect([rule(address), lenient(address)]).toEqual([false, false]);
  });
});
