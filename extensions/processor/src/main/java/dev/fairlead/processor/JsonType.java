package dev.fairlead.processor;

import dev.fairlead.json.TypeCheck;

import java.util.List;

/**
 * A Java type that has a JSON form.
 *
 * @param check checks the annotations of it
 * @param isText whether its values have a text form
 * @param constants the names of its constants on the wire, if it is an enum
 */
record JsonType(TypeCheck check, boolean isText, List<String> constants) {
    JsonType(TypeCheck check, boolean isText) {
        this(check, isText, List.of());
    }
}
