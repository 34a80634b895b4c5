// Stands alone, because a new session needs the version long before it needs a schema.

/** Version of the schemas in schemas.ts, written beside each completed step; one recorded with another is stale. */
export const SCHEMA_VERSION = "1.0.0";
