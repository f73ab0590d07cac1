package dev.fairlead.http.loop;

/** Finds the body of a request in the bytes after its head. Confined to one thread. */
interface BodyDecoder {
    /** The receiver of the bytes of a body. */
    @FunctionalInterface
    interface Sink {
        void take(byte[] bytes, int from, int to);
    }

    /**
     * Decodes the bytes that have arrived.
     *
     * @return the position up to which the bytes belong to the request
     * @throws BadRequestException if they are not a body; nothing after them can be understood
     */
    int decode(byte[] bytes, int from, int to, Sink sink) throws BadRequestException;

    /** Returns how many bytes the body has at least, by the sizes of chunks that have arrived. */
    default long announced() {
        return 0;
    }

    /** Returns whether the body has its end. */
    boolean isComplete();
}
