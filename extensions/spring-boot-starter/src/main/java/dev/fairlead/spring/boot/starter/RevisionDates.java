package dev.fairlead.spring.boot.starter;

import dev.fairlead.protocol.Revision;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Reads revisions of properties, which are dates. */
final class RevisionDates {
    private RevisionDates() {}

    /**
     * Returns the revisions that a property names.
     *
     * @throws InvalidPropertyException if one of them is unknown; the message names the property
     */
    static List<Revision> read(String property, Collection<String> dates) {
        List<Revision> revisions = new ArrayList<>();
        for (String date : dates) {
            revisions.add(Revision.of(date).orElseThrow(() -> unknown(property, date)));
        }
        return revisions;
    }

    private static InvalidPropertyException unknown(String property, String date) {
        String known =
                Arrays.stream(Revision.values())
                        .map(Revision::date)
                        .collect(Collectors.joining(", "));
        return new InvalidPropertyException(
                property + " must have revisions of " + known + " but has " + date);
    }
}
