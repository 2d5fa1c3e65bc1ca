/** A Monday (January 1, 2024), used to format the names of days. */
export const mondayUtc = Date.UTC(2024, 0, 1);
