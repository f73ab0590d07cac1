package dev.fairlead.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.protocol.Owner.Anonymous;
import dev.fairlead.protocol.Owner.Local;
import dev.fairlead.protocol.Owner.Principal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

class OwnerTest {
    private static final List<String> HOSTILE =
            List.of(
                    "",
                    " ",
                    "a",
                    "|",
                    "a|b",
                    "%",
                    "%007C",
                    "%7C",
                    "?",
                    "\uD83D",
                    "\uDE00",
                    "\uD83D\uDE00",
                    "\u0000",
                    "\r\n",
                    "'; drop table task; --",
                    "é",
                    "e\u0301",
                    "A",
                    "local",
                    "principal");

    private static List<Owner> owners() {
        List<Owner> owners = new ArrayList<>();
        for (String one : HOSTILE) {
            owners.add(new Local(one));
            owners.add(new Anonymous(one));
            for (String other : HOSTILE) {
                owners.add(new Principal(one, other, null));
                for (String third : HOSTILE) {
                    owners.add(new Principal(one, other, third));
                }
            }
        }
        return owners;
    }

    @Test
    void differentOwnersHaveDifferentKeysWhateverCharactersTheyContain() {
        Map<String, Owner> byKey = new HashMap<>();
        for (Owner owner : owners()) {
            assertThat(byKey.put(owner.key(), owner)).as(owner.key()).isNull();
        }
    }

    @Test
    void anOwnerComesBackFromItsKey() {
        for (Owner owner : owners()) {
            assertThat(Owner.parse(owner.key())).isEqualTo(owner);
        }
    }

    @Test
    void keysAndLogsArePrintable() {
        for (Owner owner : owners()) {
            assertThat(owner.key()).matches("[!-~]+");
            assertThat(owner).hasToString(owner.key());
        }
    }

    @Test
    void keysKeepTheirFormSinceStoresKeepThem() {
        assertThat(new Principal("https://id.example", "ada l", "desk").key())
                .isEqualTo("principal|https://id.example|ada%0020l|desk");
        assertThat(new Local().key()).isEqualTo("local|local");
        assertThat(new Anonymous("").key()).isEqualTo("anonymous|");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "local",
                "local|a|b",
                "principal|a",
                "anonymous",
                "local|%",
                "local|%00",
                "local|%00zz",
                "local|%0041",
                "local|%00e9",
                "other|a",
                "local|a b"
            })
    void whatIsNoKeyIsRefused(String text) {
        assertThatThrownBy(() -> Owner.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void onlyAnonymousOwnersShareTheirAccess() {
        Owner one = Anonymous.ofSession("one");
        Owner other = Anonymous.ofSession("other");

        assertThat(one.key()).isNotEqualTo(other.key()).doesNotContain("one");
        assertThat(one.access()).isEqualTo(other.access());
        for (Owner owner : owners()) {
            if (!(owner instanceof Anonymous)) {
                assertThat(owner.access()).isEqualTo(owner.key()).isNotEqualTo(one.access());
            }
        }
    }

    /** Limits spare it, also after it was stored. */
    @Test
    void onlyThePeerAtALoopbackAddressIsOnTheLoopbackInterface() {
        Owner loopback = Anonymous.ofLoopback("127.0.0.1");

        assertThat(Owner.parse(loopback.key())).isEqualTo(loopback);
        assertThat(loopback.isLoopback()).isTrue();
        assertThat(loopback).isNotEqualTo(Anonymous.ofLoopback("127.0.0.2"));
        assertThat(Anonymous.ofPeer("127.0.0.1").isLoopback()).isFalse();
        assertThat(owners()).noneMatch(Owner::isLoopback);
    }

    @Test
    void anAuthenticatedCallerIsTheOwnerInEverySession() {
        Caller ada = Caller.of("https://id.example", "ada", "desk", Set.of("read"));

        assertThat(Owner.of(ada, new Local()))
                .isEqualTo(new Principal("https://id.example", "ada", "desk"));
        assertThat(Owner.of(Caller.anonymous(), new Local("x"))).isEqualTo(new Local("x"));
    }
}
