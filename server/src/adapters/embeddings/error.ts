/** A failure of a model, in words for people. */
export class EmbeddingsError extends Error {}
