export function writeAddress(dataFolder: string, url: string): void;
export function removeAddress(dataFolder: string): void;
export function usePublicUrl(dataFolder: string, environment: Record<string, string | undefined>): void;
