/** A failure of a model, with a message for users. */
export class EmbeddingsError extends Error {}
