package dev.fairlead.http.loop;

/** Finds the body of a request in what follows its head. Confined to one thread. */
interface BodyDecoder {
    /** Where the bytes of a body go. */
    @FunctionalInterface
    interface Sink {
        void take(byte[] bytes, int from, int to);
    }

    /**
     * Decodes what has arrived.
     *
     * @return the position up to which the bytes belong to the request
     * @throws BadRequestException if they are not a body; nothing after them can be understood
     */
    int decode(byte[] bytes, int from, int to, Sink sink) throws BadRequestException;

    /** Whether the body has its end. */
    boolean isComplete();
}
