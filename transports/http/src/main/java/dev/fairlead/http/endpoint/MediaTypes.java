package dev.fairlead.http.endpoint;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Evaluates {@code Accept} and {@code Content-Type}. */
public final class MediaTypes {
    public static final String JSON = "application/json";
    public static final String EVENTS = "text/event-stream";

    private static final Pattern NO_QUALITY = Pattern.compile("[qQ]\\s*=\\s*0(\\.0{0,3})?");

    private MediaTypes() {}

    /** Returns whether a client takes JSON; a missing header takes everything. */
    public static boolean acceptsJson(List<String> accept) {
        return isAccepted(accept, JSON);
    }

    /** Returns whether a client takes a stream of events; a missing header takes everything. */
    public static boolean acceptsEvents(List<String> accept) {
        return isAccepted(accept, EVENTS);
    }

    /** Returns whether a header names a type itself, without refusing it. */
    static boolean isNamed(List<String> accept, String type) {
        for (String header : accept) {
            for (String range : header.split(",", -1)) {
                if (name(range).equals(type) && !isRefused(range)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isAccepted(List<String> accept, String type) {
        boolean any = true;
        for (String header : accept) {
            int end;
            for (int begin = 0; begin <= header.length(); begin = end + 1) {
                int comma = header.indexOf(',', begin);
                end = comma < 0 ? header.length() : comma;
                if (isExactly(type, header, begin, end)) { // as most clients write it
                    return true;
                }
                String range = header.substring(begin, end);
                String name = name(range);
                if (name.isEmpty()) {
                    continue;
                }
                any = false;
                if (matches(name, type) && !isRefused(range)) {
                    return true;
                }
            }
        }
        return any;
    }

    private static boolean isExactly(String type, String header, int begin, int end) {
        int first = begin < end && header.charAt(begin) == ' ' ? begin + 1 : begin;
        return end - first == type.length() && header.startsWith(type, first);
    }

    private static boolean matches(String range, String type) {
        return range.equals(type)
                || range.equals("*/*")
                || (range.endsWith("/*")
                        && type.startsWith(range.substring(0, range.length() - 1)));
    }

    private static boolean isRefused(String range) {
        int parameters = range.indexOf(';');
        if (parameters < 0) {
            return false;
        }
        for (String parameter : range.substring(parameters + 1).split(";", -1)) {
            if (NO_QUALITY.matcher(parameter.strip()).matches()) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the one content type is JSON, with or without parameters. */
    static boolean isJson(List<String> contentType) {
        return contentType.size() == 1
                && (contentType.get(0).equals(JSON) || name(contentType.get(0)).equals(JSON));
    }

    /** A type or range without its parameters, in lower case. */
    public static String name(String typeOrRange) {
        int parameters = typeOrRange.indexOf(';');
        String name = parameters < 0 ? typeOrRange : typeOrRange.substring(0, parameters);
        return name.strip().toLowerCase(Locale.ROOT);
    }
}
