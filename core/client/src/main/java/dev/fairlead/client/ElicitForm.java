package dev.fairlead.client;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;

import java.util.List;

/**
 * A form to fill in. Texts of it come from the server: show them as plain text, without clickable
 * links.
 *
 * @param server the server that asks
 * @param request the question as it came; its schema was checked to be flat
 */
public record ElicitForm(Implementation server, ElicitFormRequest request) {
    /** The message for the person. */
    public String message() {
        return request.message();
    }

    /** The fields: an object schema whose properties are texts, numbers, booleans and choices. */
    public JsonObject schema() {
        return request.requestedSchema();
    }

    /** The fields in the order of the server, ready to be shown and to be filled in. */
    public List<FormField> fields() {
        return FormField.of(schema());
    }
}
