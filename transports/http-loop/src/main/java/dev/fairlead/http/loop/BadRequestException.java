package dev.fairlead.http.loop;

/** A client sent bytes that are not a request, or a request that is not served. */
final class BadRequestException extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;

    BadRequestException(int status, String message) {
        super(message, null, false, false); // a client decides how many there are
        this.status = status;
    }

    static BadRequestException malformed(String message) {
        return new BadRequestException(400, message);
    }

    /** The status of the answer. */
    int status() {
        return status;
    }
}
