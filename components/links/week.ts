/** A Monday, January 1, 2024: the names of days are formatted from it. */
export const mondayUtc = Date.UTC(2024, 0, 1);
