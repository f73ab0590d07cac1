/** JSON-RPC 2.0 messages, ids, errors and the contract of a byte-pipe transport. */
@NullMarked
package dev.fairlead.jsonrpc;

import org.jspecify.annotations.NullMarked;
