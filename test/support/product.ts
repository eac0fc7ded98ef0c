import { join } from 'node:path';

/** The product as `npm test` has compiled it; the suites that run without Jest compile it as it is loaded. */
export const PRODUCT_FOLDER = process.env.TEST_BUILD ?? join(__dirname, '..', '..', 'src');
/** The options of Node.js for a process that loads it. */
export const PRODUCT_OPTIONS = process.env.TEST_BUILD ? [] : ['-r', '@swc-node/register'];
