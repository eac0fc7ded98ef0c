import type { Page } from 'playwright-core';

/** The largest number of presses of Tab from the beginning of a page to a control. */
const MAX_TABS = 60;

type Role = Parameters<Page['getByRole']>[0];

/** Finds a control by its role and name, as a person does. */
export interface InputDevice {
  press: (role: Role, name: string) => Promise<void>;
  write: (label: string, text: string) => Promise<void>;
}

export const withMouse = (page: Page): InputDevice => ({
  press: (role, name) => page.getByRole(role, { name, exact: true }).click(),
  write: async (label, text) => {
    await page.getByLabel(label, { exact: true }).click();
    await page.keyboard.type(text);
  },
});

export function withKeyboard(page: Page): InputDevice {
  const reach = async (role: Role, name: string) => {
    const target = page.getByRole(role, { name, exact: true });
    await target.waitFor();
    for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
      if ((await target.and(page.locator(':focus')).count()) > 0) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`The keyboard does not reach the ${role} "${name}".`);
  };
  return {
    press: async (role, name) => {
      await reach(role, name);
      await page.keyboard.press('Enter');
    },
    write: async (label, text) => {
      await reach('textbox', label);
      await page.keyboard.type(text);
    },
  };
}
