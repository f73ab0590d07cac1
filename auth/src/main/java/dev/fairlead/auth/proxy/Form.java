package dev.fairlead.auth.proxy;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The parameters of a query or of a posted form, none of which may be there twice. */
record Form(Map<String, String> fields) {
    static Form parse(String text) throws OAuthFailure {
        Map<String, String> fields = new HashMap<>();
        for (String field : text.split("&")) {
            if (field.isEmpty()) {
                continue;
            }
            int equals = field.indexOf('=');
            String name = decode(equals < 0 ? field : field.substring(0, equals));
            String value = equals < 0 ? "" : decode(field.substring(equals + 1));
            if (fields.put(name, value) != null) {
                throw OAuthFailure.invalidRequest("A parameter is there twice");
            }
        }
        return new Form(Map.copyOf(fields));
    }

    private static String decode(String text) throws OAuthFailure {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw OAuthFailure.invalidRequest("The parameters are not well-formed");
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
