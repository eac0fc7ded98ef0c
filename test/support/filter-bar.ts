import type { Locator, Page } from 'playwright-core';

/** The button of a filter that is shown, which names its value. */
export const filterChip = (page: Page, filter: string, value = ''): Locator =>
  page.getByRole('button', { name: `${filter}: ${value}` }).first();

/** Opens the menu of a filter, which is added to the bar if it is not set. @returns the menu */
export async function openFilter(page: Page, filter: string): Promise<Locator> {
  const chip = filterChip(page, filter);
  const add = page.getByRole('button', { name: '+ Filter' });
  await chip.or(add).first().waitFor();
  if ((await chip.count()) > 0) await chip.click();
  else {
    await add.click();
    await page.getByRole('option', { name: filter, exact: true }).click();
  }
  return page.getByRole('group', { name: filter, exact: true });
}

/** Chooses a value of a filter by its name, beside which a count may stand. */
export async function chooseFilter(page: Page, filter: string, value: string | RegExp): Promise<void> {
  const menu = await openFilter(page, filter);
  await menu.getByRole('option', { name: value }).first().click();
}

/** Types the text of a filter, presses Enter and closes its menu. */
export async function typeFilter(page: Page, filter: string, text: string): Promise<void> {
  const menu = await openFilter(page, filter);
  await menu.getByRole('textbox').or(menu.getByRole('spinbutton')).fill(text);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'hidden' });
}

export const removeFilter = (page: Page, filter: string): Promise<void> =>
  page.getByRole('button', { name: `Remove the filter: ${filter}`, exact: true }).click();
