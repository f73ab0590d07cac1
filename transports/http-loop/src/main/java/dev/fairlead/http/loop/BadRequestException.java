package dev.fairlead.http.loop;

/** What a client sent is not a request, or not one that is served. */
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
