import '../../launch/build/check-node.mjs';

// jest.config.cjs reads it.
process.env.TEST_SLOW = 'yes';
await import('./test.mjs');
