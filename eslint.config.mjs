import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  globalIgnores([
    'dist/',
    'packages/*/dist/',
    'node_modules/',
    '.parley/',
    'console/src/api/schema.ts',
    'packages/client/src/generated/',
  ]),
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        // A fifth faster than the service of projects.
        project: ['./tsconfig.json', './console/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
    },
  },
  {
    // Tests read answers of every shape.
    files: ['test/**/*.ts', 'packages/*/test/**/*.ts'],
    rules: Object.fromEntries(
      ['assignment', 'member-access', 'call', 'return', 'argument'].map((what) => [
        `@typescript-eslint/no-unsafe-${what}`,
        'off',
      ]),
    ),
  },
  {
    files: ['test/browser/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[object.property.name='clock'][object.object.name!='context']",
          message:
            'Install the clock in the context before its first page opens: a page that runs shows 1970 for a moment.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/config.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read the environment in src/config.ts only.' },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/platform/{database,replica}/**', '**/*.repository.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...['MemberExpression', 'ObjectPattern > Property'].map((node) => ({
          selector: `${node}[${node === 'MemberExpression' ? 'property' : 'key'}.name='manager']`,
          message: 'Use TypeORM in a repository only.',
        })),
        {
          selector: "CallExpression[callee.property.name='query']",
          message: 'Run statements in a repository only.',
        },
      ],
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'globalThis',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
          'fetch',
          'URL',
          'AbortController',
          'AbortSignal',
          'Buffer',
          'module',
          'require',
          '__dirname',
          '__filename',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  prettier,
);
