package dev.fairlead.auth.wire;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Fields as a form of HTML sends them. */
public final class FormEncoding {
    /** The media type of a body. */
    public static final String TYPE = "application/x-www-form-urlencoded";

    private FormEncoding() {}

    /** Fields as the body of a POST, in their order; a space is {@code +} (RFC 6749, B). */
    public static String body(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
                .collect(Collectors.joining("&"));
    }

    /**
     * A URL with fields behind those that its query has; a space is {@code %20}, as in URLs
     * elsewhere.
     *
     * @param url without a fragment
     */
    public static String appended(String url, Map<String, String> fields) {
        int query = url.indexOf('?');
        String separator = query < 0 ? "?" : query == url.length() - 1 ? "" : "&";
        return url + separator + body(fields).replace("+", "%20"); // a plus itself is %2B
    }

    /**
     * Parses a query or the body of a POST.
     *
     * @throws IllegalArgumentException if it is malformed, or a field occurs twice
     */
    public static Map<String, String> parse(String text) {
        Map<String, String> fields = new HashMap<>();
        for (String field : text.split("&")) {
            String[] parts = field.split("=", 2);
            String value = parts.length == 1 ? "" : decode(parts[1]);
            if (!field.isEmpty() && fields.put(decode(parts[0]), value) != null) {
                throw new IllegalArgumentException("A parameter is there twice");
            }
        }
        return Map.copyOf(fields);
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
