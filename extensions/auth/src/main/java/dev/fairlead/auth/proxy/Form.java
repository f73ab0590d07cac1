package dev.fairlead.auth.proxy;

import dev.fairlead.auth.wire.FormEncoding;

import java.util.Map;

/** The parameters of a query or of a posted form, none of which may be there twice. */
record Form(Map<String, String> fields) {
    static Form parse(String text) throws OAuthFailure {
        try {
            return new Form(FormEncoding.parse(text));
        } catch (IllegalArgumentException e) {
            throw OAuthFailure.invalidRequest(
                    "The parameters are malformed, or one of them occurs twice");
        }
    }

    /** Empty if it is absent, which is the same (OAuth 2.1, 3.1). */
    String get(String name) {
        return fields.getOrDefault(name, "");
    }

    /**
     * @throws OAuthFailure if it is absent
     */
    String need(String name) throws OAuthFailure {
        String value = get(name);
        if (value.isEmpty()) {
            throw OAuthFailure.invalidRequest(name + " is missing");
        }
        return value;
    }
}
