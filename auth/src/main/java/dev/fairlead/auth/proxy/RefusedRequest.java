package dev.fairlead.auth.proxy;

/** A request to authorize that a known client has made wrongly, who learns of it by a redirect. */
final class RefusedRequest extends Exception {
    private static final long serialVersionUID = 1;

    private final String location;

    RefusedRequest(String location) {
        super(null, null, false, false);
        this.location = location;
    }

    String location() {
        return location;
    }
}
