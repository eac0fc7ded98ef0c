import { isPublicAddress } from '../../src/common/public-address';

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
